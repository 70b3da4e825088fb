/** "a quarter", "three eighths": parts as people say them; else "31%". */
export function shareWords(share: number): string {
  const words: readonly [number, string][] = [
    [1 / 64, 'a 64th'],
    [1 / 40, 'a 40th'],
    [1 / 32, 'a 32nd'],
    [1 / 20, 'a 20th'],
    [1 / 16, 'a 16th'],
    [1 / 10, 'a tenth'],
    [1 / 8, 'an eighth'],
    [3 / 16, 'three sixteenths'],
    [1 / 5, 'a fifth'],
    [1 / 4, 'a quarter'],
    [3 / 8, 'three eighths'],
    [1 / 2, 'half'],
    [5 / 8, 'five eighths'],
    [3 / 4, 'three quarters'],
  ];
  return words.find(([value]) => Math.abs(value - share) < 1e-9)?.[1] ?? `${Math.round(share * 100)}%`;
}
