"""The Runs page: what this browser has run."""
