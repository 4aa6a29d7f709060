"""The Admin page, for whoever looks after the server."""
