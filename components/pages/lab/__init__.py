"""The Lab: settings at the left, linked panels at the right, one timeline under all of them."""
