import temml from 'temml';

const NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
const LONGEST_TEX = 4_000;
const MOST_EXPANSIONS = 500;
const DEEPEST = 200;

/** The allow-list of what a formula can become, checked on the tree after the last transform. */
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

/** A formula as MathML, or undefined when its source is not TeX that can be read within bounds. */
export function renderMath(tex: string, display: boolean): Node | undefined {
  if (tex.length > LONGEST_TEX) return undefined;
  const holder = document.createElement('div');
  try {
    temml.render(tex, holder, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: MOST_EXPANSIONS,
      maxSize: [20, 500],
    });
  } catch {
    return undefined;
  }
  return allowedContent(holder, 0);
}

function allowedContent(from: Element, depth: number): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (depth > DEEPEST) return fragment;
  for (const child of from.childNodes) {
    if (child instanceof Text) fragment.append(child.data);
    else if (child instanceof Element) fragment.append(allowedElement(child, depth + 1));
  }
  return fragment;
}

/** A copy of what is allowed of an element; one that is not allowed gives way to its content. */
function allowedElement(from: Element, depth: number): Node {
  const content = allowedContent(from, depth);
  if (!ELEMENTS.has(from.localName)) return content;
  const made = document.createElementNS(NAMESPACE, from.localName);
  for (const { name, value } of from.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  if (from instanceof MathMLElement && made instanceof MathMLElement) copyStyles(from.style, made.style);
  made.append(content);
  return made;
}

function copyStyles(from: CSSStyleDeclaration, to: CSSStyleDeclaration): void {
  for (const property of from) {
    const value = from.getPropertyValue(property);
    if (STYLES.has(property) && /^[\w\s.#%(),+-]*$/.test(value) && !/url/i.test(value))
      to.setProperty(property, value);
  }
}
