"""Background queries: answers that cost more than a few milliseconds, made by processes of their own.

`query` says what can be asked and how it is answered, `worker` is the process that answers, `service` is what
the web process has of it: a fair queue, one answer for all who ask, limits of time and memory. It may import
everything in core but Flask; `views` alone knows HTTP.
"""
