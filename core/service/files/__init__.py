"""What is kept in files: the database, frames, what ships; locks, and a disk that is full.

It may import the records and the contract of the stores, and no process, no web, no Redis.
"""
