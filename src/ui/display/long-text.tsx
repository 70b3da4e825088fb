const linesAPiece = 256;
/** A single line may be the whole text: past this it goes on in a further piece. */
const lettersAPiece = 8_000;

/** A text in pieces that the browser can leave alone while they are off screen: of megabytes it lays out a screenful. */
export function LongText({ text }: { text: string }) {
  return piecesOf(text).map((piece, index) => (
    <span key={index} className="text-piece" dir="auto">
      {piece}
    </span>
  ));
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
