const linesAPiece = 64;
/** A single line may be the whole text: past this it goes on in a further piece. */
const lettersAPiece = 8_000;

/** A text exactly as it came, in pieces that the browser can leave alone while they are off screen. */
export function RawText({ text }: { text: string }) {
  return (
    <pre className="raw-text" tabIndex={0} aria-label="Text as it came">
      {piecesOf(text).map((piece, index) => (
        <div key={index} className="raw-piece" dir="auto">
          {piece}
        </div>
      ))}
    </pre>
  );
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let lines = 0;
  for (const line of text.split(/(?<=\n)/)) {
    for (let from = 0; from < line.length; from += lettersAPiece)
      piece = added(pieces, piece, line.slice(from, from + lettersAPiece));
    lines += 1;
    if (lines % linesAPiece !== 0) continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function added(pieces: string[], piece: string, more: string): string {
  if (piece.length + more.length <= lettersAPiece) return piece + more;
  if (piece !== '') pieces.push(piece);
  return more;
}
