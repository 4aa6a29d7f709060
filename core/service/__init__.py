"""Runs as a service: store, queue, workers, HTTP; the only part of core that touches files, clocks,
processes and sockets.

Two back ends, embedded and Redis with Celery, under one contract. It may import everything in core.
"""
