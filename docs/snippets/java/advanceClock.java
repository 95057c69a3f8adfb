var request = new AdvanceClockRequest().advanceBy("P1M");
var clock = client.user(userId).sandbox().advanceClock(request);
System.out.println(clock.status() + " until " + clock.advancedTo());
