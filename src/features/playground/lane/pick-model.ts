/** Opens the model picker of this lane, for those who are sent there from somewhere else. */
export function pickModel(letter: string): void {
  const picker = document.querySelector<HTMLInputElement>(
    `.lh.lane-${letter.toLowerCase()} input[role=combobox]`,
  );
  picker?.focus();
  picker?.click();
}
