"""Operations of the airline desk: functions on a visit's database (its world) that pages and
solutions call.
"""
