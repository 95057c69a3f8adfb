// Starts aws-ses-v2-local, the SES emulator, on loopback and on a port that the
// system chooses. Prints the address once it answers and ends when its standard
// input does, that is with its parent.
import ses from "aws-ses-v2-local";

const server = await ses.default({ host: "127.0.0.1", port: 0 });
console.log(`http://127.0.0.1:${server.address().port}`);

process.stdin.resume().on("end", () => process.exit(0));
