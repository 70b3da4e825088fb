/** Words for vectors of another size than asked for. */

/** The server's answer outranks our table of sizes. */
export function refusedSizeInWords(dimensions: number, message: string): string {
  return `The server does not take dimensions ${dimensions} for this model: “${message}” The full size was asked for instead, and the views cut it to ${dimensions}.`;
}

export function otherSizeInWords(asked: number, came: number): string {
  const what = came > asked ? `The views cut them to ${asked}.` : 'Shorter vectors can not be made longer.';
  return `The server gave ${came} dimensions although ${asked} were asked for. ${what}`;
}
