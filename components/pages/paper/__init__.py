"""The Paper page: every figure and claim of the paper, as this code finds them."""
