"""Pictures: from results to finished figures."""
