"""Operations of the airline desk: functions of a world that pages and solutions call."""
