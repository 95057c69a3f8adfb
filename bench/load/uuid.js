// uuidv4 is a random UUID, as partners use for their own identifiers.
export function uuidv4() {
  return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(Math.random() * 16).toString(16));
}
