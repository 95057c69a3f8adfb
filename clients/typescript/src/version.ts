/** The version of this package, as package.json has it. */
export const version = "1.0.0";
