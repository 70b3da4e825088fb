import temml from 'temml';

import { isRecord, ownProperty, stringProperty } from '../lib/json.ts';

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
const LONGEST_TEX = 4_000;
const MOST_EXPANSIONS = 500;
const DEEPEST = 200;

/** The allow-list of what a formula can become, checked on the tree after the last transform (faults.md T16, T19). */
const ELEMENTS = new Set(
  (
    'math mrow mi mo mn mtext mspace ms msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle ' +
    'mpadded mphantom menclose merror mmultiscripts mprescripts none'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel mathvariant stretchy fence form separator lspace rspace minsize maxsize symmetric ' +
    'largeop movablelimits accent accentunder linethickness width height depth voffset columnalign columnspacing ' +
    'columnlines rowlines rowspacing rowalign notation dir intent'
  ).split(' '),
);
const STYLES = new Set(
  (
    'color background-color padding padding-left padding-right padding-top padding-bottom margin margin-left margin-right ' +
    'text-align border border-top border-bottom border-left border-right width height vertical-align math-depth ' +
    'math-style font-weight font-style white-space'
  ).split(' '),
);

/** A formula as MathML, or undefined when its source is no TeX that can be read within bounds. */
export function renderMath(tex: string, display: boolean): Node | undefined {
  if (tex.length > LONGEST_TEX) return undefined;
  const options = {
    displayMode: display,
    throwOnError: true,
    trust: false,
    strict: false,
    maxExpand: MOST_EXPANSIONS,
  };
  try {
    const tree: unknown = temml.__renderToMathMLTree(tex, {
      ...options,
      maxSize: [20, 500] as const satisfies [number, number],
    });
    return nodeOf(tree, 0);
  } catch {
    return undefined;
  }
}

function childrenOf(tree: unknown): unknown[] {
  const children = ownProperty(tree, 'children');
  return Array.isArray(children) ? children : [];
}

function nodeOf(tree: unknown, depth: number): Node {
  const text = stringProperty(tree, 'text');
  if (text !== undefined) return document.createTextNode(text);
  const type = stringProperty(tree, 'type');
  if (depth > DEEPEST) return document.createTextNode('');
  if (type === undefined || !ELEMENTS.has(type)) {
    const fragment = document.createDocumentFragment();
    fragment.append(...childrenOf(tree).map((child) => nodeOf(child, depth + 1)));
    return fragment;
  }
  const made = document.createElementNS(NAMESPACE, type);
  const attributes = ownProperty(tree, 'attributes');
  if (isRecord(attributes)) {
    for (const [name, value] of Object.entries(attributes)) {
      if (ATTRIBUTES.has(name)) made.setAttribute(name, String(value));
    }
  }
  applyStyles(made, ownProperty(tree, 'style'));
  made.append(...childrenOf(tree).map((child) => nodeOf(child, depth + 1)));
  return made;
}

function applyStyles(made: Element, styles: unknown): void {
  if (!isRecord(styles) || !('style' in made) || !(made.style instanceof CSSStyleDeclaration)) return;
  for (const [name, value] of Object.entries(styles)) {
    const property = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (STYLES.has(property) && /^[\w\s.#%(),+-]*$/.test(plain) && !/url/i.test(plain)) {
      made.style.setProperty(property, plain);
    }
  }
}
