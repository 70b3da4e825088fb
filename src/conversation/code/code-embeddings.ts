/**
 * Formats an embeddings request (§2.6) as code that sends the same body and validates the response before decoding it.
 */
import type { ElementType } from '../../gateway/embeddings/embedding-vector.ts';
import { findElementType } from '../../gateway/embeddings/parse-embeddings.ts';
import type { EmbeddingsRequest } from '../../gateway/wire.ts';
import { jsonStyle, formatLiteral, scriptStyle, type LiteralStyle } from './code-literal.ts';

export type EmbeddingsCodeLanguage = 'curl' | 'python' | 'typescript';

const maxInputs = 20;

/**
 * Returns a program that ends with a line break. It reads GATEWAY_BASE_URL and GATEWAY_API_KEY and never contains their
 * values. Only the first 20 inputs are included.
 */
export function buildEmbeddingsCode(language: EmbeddingsCodeLanguage, request: EmbeddingsRequest): string {
  const { input } = request;
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const omittedCount = isList ? Math.max(0, input.length - maxInputs) : 0;
  const body = isList && omittedCount > 0 ? { ...request, input: input.slice(0, maxInputs) } : request;
  const commentLines =
    omittedCount > 0 ? [`The first ${maxInputs} of ${maxInputs + omittedCount} inputs.`] : [];
  return writers[language](body, commentLines, findElementType(body)?.type);
}

type Writer = (body: EmbeddingsRequest, commentLines: string[], elements: ElementType | undefined) => string;

/**
 * JSON style for literals in a script. It differs from plain JSON only where a script would read the value differently.
 */
const bodyStyle: LiteralStyle = {
  ...scriptStyle,
  key: (key) => (key === '__proto__' ? scriptStyle : jsonStyle).key(key),
  trailingComma: false,
};

const writers: Record<EmbeddingsCodeLanguage, Writer> = {
  curl: (body, commentLines) =>
    [
      ...commentLines.map((line) => `# ${line}`),
      'curl "$GATEWAY_BASE_URL/v1/embeddings" \\',
      '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      // Inside single quotes, the shell treats only the quote itself as special.
      `  -d '${formatLiteral(body, jsonStyle).replaceAll("'", String.raw`'\''`)}'`,
      '',
    ].join('\n'),
  python: (body, commentLines, elements) =>
    [
      'import base64, json, os, struct, urllib.request',
      '',
      ...commentLines.map((line) => `# ${line}`),
      // The body is sent as a string, so nothing is converted to Python values and every digit is kept.
      `body = ${formatPythonString(formatLiteral(body, jsonStyle))}`,
      '',
      'request = urllib.request.Request(',
      '    os.environ["GATEWAY_BASE_URL"] + "/v1/embeddings",',
      '    data=body.encode(),',
      '    headers={',
      '        "Authorization": "Bearer " + os.environ["GATEWAY_API_KEY"],',
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'answer = json.load(urllib.request.urlopen(request))',
      '',
      'def vector(embedding):',
      '    # Some servers return the encoding that was not requested.',
      '    if isinstance(embedding, str):',
      '        raw = base64.b64decode(embedding)',
      `        return list(struct.unpack(f"<${buildStructFormat(elements)}", raw))`,
      '    return embedding',
      '',
      '# By index: the order is not guaranteed. Some servers leave out 0, others leave out every index.',
      'items = answer["data"]',
      'has_index = any("index" in item for item in items)',
      'vectors = {',
      '    item.get("index", 0) if has_index else place: vector(item["embedding"])',
      '    for place, item in enumerate(items)',
      '}',
      'print(len(vectors), "vectors of", len(vectors[0]), "dimensions")',
      '',
    ].join('\n'),
  typescript: (body, commentLines, elements) =>
    [
      "import { env } from 'node:process';",
      '',
      'interface Answer {',
      '  data: { index?: number; embedding: number[] | string }[];',
      '}',
      '',
      'const response = await fetch(`${env.GATEWAY_BASE_URL}/v1/embeddings`, {',
      "  method: 'POST',",
      "  headers: { authorization: `Bearer ${env.GATEWAY_API_KEY}`, 'content-type': 'application/json' },",
      ...commentLines.map((line) => `  // ${line}`),
      `  body: JSON.stringify(${formatLiteral(body, bodyStyle, 1, 'body: JSON.stringify('.length)}),`,
      '});',
      'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
      'const answer = (await response.json()) as Answer;',
      '',
      '// Some servers return the encoding that was not requested.',
      'function vector(embedding: number[] | string): Float32Array {',
      "  if (typeof embedding !== 'string') return Float32Array.from(embedding);",
      "  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));",
      `  return ${buildFloatArrayCode(elements)};`,
      '}',
      '',
      '// By index: the order is not guaranteed. Some servers leave out 0, others leave out every index.',
      "const hasIndex = answer.data.some((item) => 'index' in item);",
      'const vectors = new Map(',
      '  answer.data.map((item, place) => [hasIndex ? (item.index ?? 0) : place, vector(item.embedding)]),',
      ');',
      'console.log(vectors.size, vectors.get(0)?.length);',
      '',
    ].join('\n'),
};

function buildStructFormat(elements: ElementType | undefined): string {
  if (elements === undefined) return '{len(raw) // 4}f';
  return elements === 'uint8' ? '{len(raw)}B' : '{len(raw)}b';
}

function buildFloatArrayCode(elements: ElementType | undefined): string {
  if (elements === undefined) return 'new Float32Array(bytes.buffer)';
  return `Float32Array.from(${elements === 'uint8' ? 'bytes' : 'new Int8Array(bytes.buffer)'})`;
}

/** Returns a raw string in triple quotes if that is safe, otherwise one line with escapes. */
function formatPythonString(json: string): string {
  return json.includes("'''") || json.includes('\\') || json.endsWith("'")
    ? JSON.stringify(json)
    : `'''${json}'''`;
}
