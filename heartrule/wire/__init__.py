"""Domain values to and from the messages of heartrule.v1: by field name, special cases by noun.

`mapping` has the two generic functions, `events` what streams carry, `requests` what clients send.
"""
