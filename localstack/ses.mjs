// Starts aws-ses-v2-local, the SES emulator, on loopback, on a port that the
// system chooses. It prints its address when it is ready, and exits when standard
// input closes, which happens when its parent ends.
import ses from "aws-ses-v2-local";

const server = await ses.default({ host: "127.0.0.1", port: 0 });
console.log(`http://127.0.0.1:${server.address().port}`);

process.stdin.resume().on("end", () => process.exit(0));
