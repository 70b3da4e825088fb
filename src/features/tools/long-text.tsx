const maxPieceLines = 256;
/** Maximum length of one piece in characters; a text may be one long line. */
const maxPieceChars = 8_000;

/**
 * Renders a text in pieces that the browser skips while they are off screen, so megabytes cost the layout of one
 * screen.
 */
export function LongText({ text }: { text: string }) {
  return splitIntoPieces(text).map((piece, index) => (
    <span key={index} className="text-piece" dir="auto">
      {piece}
    </span>
  ));
}

function splitIntoPieces(text: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let lineCount = 0;
  for (const line of text.split(/(?<=\n)/)) {
    for (let from = 0; from < line.length; from += maxPieceChars)
      piece = appendToPiece(pieces, piece, line.slice(from, from + maxPieceChars));
    lineCount += 1;
    if (lineCount % maxPieceLines !== 0) continue;
    pieces.push(piece);
    piece = '';
  }
  return piece === '' ? pieces : [...pieces, piece];
}

function appendToPiece(pieces: string[], piece: string, text: string): string {
  if (piece.length + text.length <= maxPieceChars) return piece + text;
  if (piece !== '') pieces.push(piece);
  return text;
}
