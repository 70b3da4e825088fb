/** Words for vectors of another size than asked for. */

/** The server's answer outranks our table of sizes. */
export function refusedSizeInWords(dimensions: number, message: string): string {
  return `The server does not accept dimensions ${dimensions} for this model: “${message}” The full size was requested instead, and the views cut it to ${dimensions}.`;
}

export function otherSizeInWords(asked: number, came: number): string {
  const what = came > asked ? `The views cut them to ${asked}.` : 'Shorter vectors cannot be made longer.';
  return `The server returned ${came} dimensions although ${asked} were requested. ${what}`;
}
