import temml from 'temml';

const MATHML_NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
const MAX_TEX_CHARS = 4_000;
const MAX_EXPANSIONS = 500;
const MAX_DEPTH = 200;

/** The allow-list of elements in a formula, checked on the tree after the last transformation. */
const ALLOWED_ELEMENTS = new Set(
  (
    'math mrow mi mo mn mtext mspace ms msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle ' +
    'mpadded mphantom menclose merror mmultiscripts mprescripts none'
  ).split(' '),
);
const ALLOWED_ATTRIBUTES = new Set(
  (
    'display displaystyle scriptlevel mathvariant stretchy fence form separator lspace rspace minsize maxsize symmetric ' +
    'largeop movablelimits accent accentunder linethickness width height depth voffset columnalign columnspacing ' +
    'columnlines rowlines rowspacing rowalign notation dir intent'
  ).split(' '),
);
const ALLOWED_STYLES = new Set(
  (
    'color background-color padding padding-left padding-right padding-top padding-bottom margin margin-left margin-right ' +
    'text-align border border-top border-bottom border-left border-right width height vertical-align math-depth ' +
    'math-style font-weight font-style white-space'
  ).split(' '),
);

/** Renders a formula as MathML, or returns undefined if its source is not valid TeX within the limits. */
export function renderMath(tex: string, display: boolean): Node | undefined {
  if (tex.length > MAX_TEX_CHARS) return undefined;
  const container = document.createElement('div');
  try {
    temml.render(tex, container, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxExpand: MAX_EXPANSIONS,
      maxSize: [20, 500],
    });
  } catch {
    return undefined;
  }
  return copyAllowedContent(container, 0);
}

function copyAllowedContent(source: Element, depth: number): DocumentFragment {
  const fragment = document.createDocumentFragment();
  if (depth > MAX_DEPTH) return fragment;
  for (const child of source.childNodes) {
    if (child instanceof Text) fragment.append(child.data);
    else if (child instanceof Element) fragment.append(copyAllowedElement(child, depth + 1));
  }
  return fragment;
}

/** Copies the allowed parts of an element; an element that is not allowed is replaced by its content. */
function copyAllowedElement(source: Element, depth: number): Node {
  const content = copyAllowedContent(source, depth);
  if (!ALLOWED_ELEMENTS.has(source.localName)) return content;
  const mathElement = document.createElementNS(MATHML_NAMESPACE, source.localName);
  for (const { name, value } of source.attributes)
    if (ALLOWED_ATTRIBUTES.has(name)) mathElement.setAttribute(name, value);
  if (source instanceof MathMLElement && mathElement instanceof MathMLElement)
    copyStyles(source.style, mathElement.style);
  mathElement.append(content);
  return mathElement;
}

function copyStyles(source: CSSStyleDeclaration, target: CSSStyleDeclaration): void {
  for (const property of source) {
    const value = source.getPropertyValue(property);
    if (ALLOWED_STYLES.has(property) && /^[\w\s.#%(),+-]*$/.test(value) && !/url/i.test(value))
      target.setProperty(property, value);
  }
}
