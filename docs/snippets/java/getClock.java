var sandbox = client.user(userId).sandbox();
var clock = sandbox.getClock();
while (clock.status().equals(Clock.STATUS_ADVANCING)) {
    Thread.sleep(1000);
    clock = sandbox.getClock();
}
System.out.println("The user's time is " + clock.now());
