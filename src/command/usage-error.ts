/** An error in the arguments or in a file of a command; its message is printed and the exit code is 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}
