"""Tests of the link on a virtual clock: python3 -m unittest discover -s load-tests/experiments -p '*_test.py'"""
import unittest

from link import Link

PACKET = b"x" * 1250  # 1 ms at 10 Mbit/s


def link(rate=10e6, delay=0.02, loss=0.0, buffer=1000, seed=1):
    return Link(rate, delay, loss, buffer, seed)


class LinkTest(unittest.TestCase):
    def test_packet_arrives_after_its_transmission_and_the_delay(self):
        one = link()
        one.send(5.0, PACKET)
        self.assertAlmostEqual(5.021, one.next_arrival())
        self.assertEqual([], list(one.arrived(5.0209)))
        self.assertEqual([PACKET], [packet for packet, _ in one.arrived(5.0211)])
        self.assertIsNone(one.next_arrival())

    def test_packets_wait_for_those_before_them(self):
        one = link()
        for _ in range(3):
            one.send(0.0, PACKET)
        self.assertAlmostEqual(0.003, one.queueing_delay(0.0))
        self.assertAlmostEqual(0.001, one.queueing_delay(0.002))
        self.assertEqual(0.0, one.queueing_delay(0.004))
        self.assertEqual(2, len(list(one.arrived(0.0225))))

    def test_order_of_packets_is_kept(self):
        one = link()
        for i in range(5):
            one.send(i / 1e4, bytes([i]) * 100)
        self.assertEqual([0, 1, 2, 3, 4], [packet[0] for packet, _ in one.arrived(1.0)])

    def test_full_buffer_drops_and_takes_packets_again(self):
        one = link(buffer=2)
        for _ in range(3):
            one.send(0.0, PACKET)
        self.assertEqual((2, 1), (one.sent, one.dropped))
        one.send(0.0015, PACKET)
        self.assertEqual((3, 1), (one.sent, one.dropped))

    def test_loss_is_the_configured_share_and_takes_its_time_on_the_link(self):
        one = link(loss=0.01, buffer=100000)
        for _ in range(20000):
            one.send(0.0, PACKET)
        self.assertTrue(150 <= one.lost <= 250, one.lost)
        self.assertEqual(20000 - one.lost, len(list(one.arrived(30.0))))
        self.assertAlmostEqual(20.0, one.queueing_delay(0.0))

    def test_same_seed_loses_the_same_packets(self):
        def arrivals(seed):
            one = link(loss=0.1, seed=seed)
            for i in range(100):
                one.send(0.0, bytes([i]))
            return [packet for packet, _ in one.arrived(1.0)]

        self.assertEqual(arrivals(7), arrivals(7))
        self.assertNotEqual(arrivals(7), arrivals(8))


if __name__ == "__main__":
    unittest.main()
