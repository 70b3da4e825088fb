/** Common names for the column of correct answers, the most specific first. */
const expectedNames = [
  /^(?:expected|expected[ _-]?(?:answer|output|response|result|label|value)|ideal|target|gold|golden|ground[ _-]?truth|reference|reference[ _-]?(?:answer|output))$/i,
  /^(?:label|labels|answer|correct|correct[ _-]?answer|completion|class|category)$/i,
];

/** Returns the field that most likely holds the correct answer, judged by its name. */
export function guessExpectedField(fields: readonly string[]): string | undefined {
  for (const names of expectedNames) {
    const name = fields.find((field) => names.test(field.trim()));
    if (name !== undefined) return name;
  }
  return undefined;
}
