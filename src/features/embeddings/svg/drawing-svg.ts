import { channelReader, hexOf } from '../canvas/css-colors.ts';

/** What a drawing owes to the page's style sheet, and has to carry itself outside of the page. */
const looks = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-size',
  'font-weight',
  'text-anchor',
];
const legendPx = 22;
const svgNames = 'http://www.w3.org/2000/svg';

interface Around {
  /** A colour for the background. */
  paper: string;
  /** What the lines stand for, written above. */
  legend: string;
  ink: string;
}

/** A drawing of the page as a file of its own: every element with the look that the style sheet gives it. */
export function svgOfDrawing(drawing: SVGSVGElement, { paper, legend, ink }: Around): string {
  const channels = channelReader();
  const copy = document.importNode(drawing, true);
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [at, original] of [drawing, ...drawing.querySelectorAll('*')].entries()) {
    const styles = getComputedStyle(original);
    for (const look of looks) {
      const value = styles.getPropertyValue(look);
      const isColor = (look === 'fill' || look === 'stroke') && value !== 'none';
      copies[at]?.setAttribute(look, isColor ? hexOf(channels(value)) : value);
    }
    // What is only there to be pointed at.
    if (channels(styles.fill)[3] === 0) copies[at]?.setAttribute('fill', 'none');
    copies[at]?.removeAttribute('class');
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('viewBox', `0 ${-legendPx} ${width} ${height + legendPx}`);
  copy.setAttribute('font-family', 'sans-serif');
  const background = add(copy, 'rect', { y: -legendPx, width, height: height + legendPx });
  background.setAttribute('fill', hexOf(channels(paper)));
  copy.prepend(background);
  const words = add(copy, 'text', { x: width / 2, y: 14 - legendPx, 'font-size': 11 });
  words.setAttribute('text-anchor', 'middle');
  words.setAttribute('fill', hexOf(channels(ink)));
  words.textContent = legend;
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}

function add(to: Element, name: string, attributes: Record<string, number>): Element {
  const element = document.createElementNS(svgNames, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value));
  to.append(element);
  return element;
}
