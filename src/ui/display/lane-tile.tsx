/** A letter on its colour: which of several things side by side is meant. The letter alone tells it too. */
export function LaneTile({ letter, small = true }: { letter: string; small?: boolean }) {
  return (
    <b className={`lt lane-${letter.toLowerCase()}${small ? ' sm' : ''}`} aria-hidden>
      {letter}
    </b>
  );
}
