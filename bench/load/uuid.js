// uuidv4 returns a random UUID, like the ones partners use as identifiers.
export function uuidv4() {
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
}
