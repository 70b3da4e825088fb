import { element } from './dom-elements.ts';
import { hiddenCount } from './hidden-characters.ts';

const FEEDBACK_MS = 1_600;

/** Answers the buttons inside a message: one listener for all of them. */
export function handleMarkdownClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const button = event.target.closest('button[data-action]');
  if (!(button instanceof HTMLButtonElement)) return;
  switch (button.dataset['action']) {
    case 'copy':
      void copyCode(button);
      break;
    case 'wrap':
      toggleWrap(button);
      break;
    case 'load-image':
      loadImage(button);
      break;
    case 'footnote':
      showFootnote(button);
      break;
    default:
      break;
  }
}

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = (button.closest('.md-code')?.querySelector('pre')?.textContent ?? '').replace(/\n$/, '');
  const hidden = hiddenCount(code);
  try {
    await navigator.clipboard.writeText(code);
    say(
      button,
      hidden === 0 ? 'Copied' : `Copied, with ${hidden} hidden ${hidden === 1 ? 'character' : 'characters'}`,
    );
  } catch {
    say(button, 'The browser refused. Select the code and copy it.');
  }
}

function say(button: HTMLButtonElement, words: string): void {
  button.setAttribute('aria-label', `Copy code. ${words}`);
  button.textContent = words;
  setTimeout(() => {
    button.removeAttribute('aria-label');
    button.textContent = 'Copy code';
  }, FEEDBACK_MS);
}

function toggleWrap(button: HTMLButtonElement): void {
  const wrapped = button.closest('.md-code')?.classList.toggle('md-wrapped') === true;
  button.setAttribute('aria-pressed', String(wrapped));
}

function loadImage(button: HTMLButtonElement): void {
  const source = button.dataset['source'];
  if (source === undefined) return;
  const image = element('img', 'md-picture');
  image.alt = button.dataset['alt'] ?? '';
  image.referrerPolicy = 'no-referrer';
  image.addEventListener('load', () => button.replaceChildren(image));
  image.addEventListener('error', () => button.replaceWith(imageLink(button, source)));
  button.disabled = true;
  button.textContent = 'Loading the image';
  image.src = source;
}

/** Where the page may not load it (its security policy, or the host): a link that opens it apart. */
function imageLink(button: HTMLButtonElement, source: string): HTMLAnchorElement {
  const link = element('a');
  link.href = source;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.title = button.title;
  link.textContent = `Open image from ${new URL(source).host} in a new tab`;
  return link;
}

function showFootnote(button: HTMLButtonElement): void {
  const notes = button.closest('.md')?.querySelectorAll<HTMLElement>('.md-footnote') ?? [];
  const note = Array.from(notes).find(
    (candidate) => candidate.dataset['footnote'] === button.dataset['label'],
  );
  note?.scrollIntoView({ block: 'nearest' });
  note?.focus({ preventScroll: true });
}
