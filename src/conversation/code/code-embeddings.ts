/** An embeddings request (§2.6) as code that sends the same body and decodes what comes without trusting it. */
import type { EmbeddingsRequest } from '../../gateway/wire.ts';

export type EmbeddingsCodeLanguage = 'curl' | 'python' | 'typescript';

const mostShown = 20;

/** Ends with a line break. Reads GATEWAY_BASE_URL and GATEWAY_API_KEY; never holds either. Of many inputs the first 20 are written out. */
export function embeddingsCode(language: EmbeddingsCodeLanguage, request: EmbeddingsRequest): string {
  const { input } = request;
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const left = isList ? Math.max(0, input.length - mostShown) : 0;
  const body = isList && left > 0 ? { ...request, input: input.slice(0, mostShown) } : request;
  const remark = left > 0 ? [`The first ${mostShown} of ${mostShown + left} inputs.`] : [];
  return writers[language](body, remark);
}

const writers: Record<EmbeddingsCodeLanguage, (body: object, remark: string[]) => string> = {
  curl: (body, remark) =>
    [
      ...remark.map((line) => `# ${line}`),
      'curl "$GATEWAY_BASE_URL/v1/embeddings" \\',
      '  -H "Authorization: Bearer $GATEWAY_API_KEY" \\',
      '  -H "Content-Type: application/json" \\',
      // Inside single quotes nothing is special but the quote itself.
      `  -d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
      '',
    ].join('\n'),
  python: (body, remark) =>
    [
      'import base64, json, os, struct, urllib.request',
      '',
      ...remark.map((line) => `# ${line}`),
      // Text of JSON is read as JSON: nothing has to be rewritten for Python.
      `body = json.loads(${pythonText(JSON.stringify(body, null, 2))})`,
      '',
      'request = urllib.request.Request(',
      '    os.environ["GATEWAY_BASE_URL"] + "/v1/embeddings",',
      '    data=json.dumps(body).encode(),',
      '    headers={',
      '        "Authorization": "Bearer " + os.environ["GATEWAY_API_KEY"],',
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'answer = json.load(urllib.request.urlopen(request))',
      '',
      'def vector(embedding):',
      '    # Some servers send the other encoding than requested.',
      '    if isinstance(embedding, str):',
      '        raw = base64.b64decode(embedding)',
      '        return list(struct.unpack(f"<{len(raw) // 4}f", raw))',
      '    return embedding',
      '',
      '# By index: the order is not guaranteed.',
      'vectors = {item["index"]: vector(item["embedding"]) for item in answer["data"]}',
      'print(len(vectors), "vectors of", len(vectors[0]), "dimensions")',
      '',
    ].join('\n'),
  typescript: (body, remark) =>
    [
      "import { env } from 'node:process';",
      '',
      'interface Answer {',
      '  data: { index: number; embedding: number[] | string }[];',
      '}',
      '',
      'const response = await fetch(`${env.GATEWAY_BASE_URL}/v1/embeddings`, {',
      "  method: 'POST',",
      "  headers: { authorization: `Bearer ${env.GATEWAY_API_KEY}`, 'content-type': 'application/json' },",
      ...remark.map((line) => `  // ${line}`),
      `  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`,
      '});',
      'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);',
      'const answer = (await response.json()) as Answer;',
      '',
      '// Some servers send the other encoding than requested.',
      'function vector(embedding: number[] | string): Float32Array {',
      "  if (typeof embedding !== 'string') return Float32Array.from(embedding);",
      "  const bytes = Uint8Array.from(Buffer.from(embedding, 'base64'));",
      '  return new Float32Array(bytes.buffer);',
      '}',
      '',
      '// By index: the order is not guaranteed.',
      'const vectors = new Map(answer.data.map((item) => [item.index, vector(item.embedding)]));',
      'console.log(vectors.size, vectors.get(0)?.length);',
      '',
    ].join('\n'),
};

/** A raw text in triple quotes where that is readable, else one line with escapes. */
function pythonText(json: string): string {
  return json.includes("'''") || json.includes('\\') || json.endsWith("'")
    ? JSON.stringify(json)
    : `'''${json}'''`;
}
