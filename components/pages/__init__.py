"""One folder per page: layout, callbacks, and what only that page needs."""
