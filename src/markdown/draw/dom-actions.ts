import { countHiddenCharacters } from '../tree/hidden-characters.ts';
import { createDomElement } from './dom-elements.ts';

const FEEDBACK_MS = 1_600;

/** Handles clicks on the buttons inside a message, with one listener for all of them. */
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
    case 'show-image':
      showImage(button);
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
  const hiddenCharCount = countHiddenCharacters(code);
  try {
    await navigator.clipboard.writeText(code);
    showFeedback(
      button,
      hiddenCharCount === 0
        ? 'Copied'
        : `Copied, with ${hiddenCharCount} hidden ${hiddenCharCount === 1 ? 'character' : 'characters'}`,
    );
  } catch {
    showFeedback(button, 'The browser blocked copying. Select the code and copy it.');
  }
}

function showFeedback(button: HTMLButtonElement, message: string): void {
  button.setAttribute('aria-label', `Copy code. ${message}`);
  button.textContent = message;
  setTimeout(() => {
    button.removeAttribute('aria-label');
    button.textContent = 'Copy code';
  }, FEEDBACK_MS);
}

function toggleWrap(button: HTMLButtonElement): void {
  const isWrapped = button.closest('.md-code')?.classList.toggle('md-wrapped') === true;
  button.setAttribute('aria-pressed', String(isWrapped));
}

/** Shows an image that is embedded in the message. */
function showImage(button: HTMLButtonElement): void {
  const source = button.dataset['source'];
  if (source === undefined) return;
  const image = createDomElement('img', 'max-h-120');
  image.alt = button.dataset['alt'] ?? '';
  image.addEventListener('load', () => button.replaceWith(image));
  image.addEventListener('error', () => {
    button.disabled = true;
    button.textContent = 'Could not read the image';
  });
  image.src = source;
}

function showFootnote(button: HTMLButtonElement): void {
  const notes = button.closest('.markdown')?.querySelectorAll<HTMLElement>('.md-footnote') ?? [];
  const note = Array.from(notes).find(
    (candidate) => candidate.dataset['footnote'] === button.dataset['label'],
  );
  note?.scrollIntoView({ block: 'nearest' });
  note?.focus({ preventScroll: true });
}
