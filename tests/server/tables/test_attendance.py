"""Attendance counts the connections of every chair."""

from deadwood.server.tables.attendance import Attendance


def test_a_chair_is_held_until_its_last_connection_goes():
    attendance = Attendance()
    assert attendance.come({1, 2})
    assert not attendance.come({2})
    assert not attendance.come(())
    assert not attendance.go({2})
    assert attendance.seats == (1, 2)
    assert attendance.go({1, 2})
    assert attendance.seats == ()
