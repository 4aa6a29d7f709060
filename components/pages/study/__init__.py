"""The Study page: many runs as pictures and a table.

An app of its own on the same server, so that the Lab does not load its scripts.
"""
