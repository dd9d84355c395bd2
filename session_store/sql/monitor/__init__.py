"""What the monitor is asked, advises and proposes."""
