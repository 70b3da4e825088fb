/**
 * Headers for every file of the app. Trusted Types: the only policy is named `app`. Inline scripts and style elements
 * are forbidden, and images load only from this origin, so that nothing a model writes is ever loaded.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types app',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Returns the headers of one file. WebAssembly is allowed only in the worker that computes with vectors, which has its
 * own policy, and never in the page.
 */
export function getSecurityHeaders(name: string): Readonly<Record<string, string>> {
  if (!/^assets\/vector-worker-[\w-]{8}\.js$/.test(name)) return SECURITY_HEADERS;
  const policy = SECURITY_HEADERS['content-security-policy'] ?? '';
  return {
    ...SECURITY_HEADERS,
    'content-security-policy': policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'"),
  };
}
