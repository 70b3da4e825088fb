/**
 * A control never becomes another one under a hand. What stands at the place of a press, or has taken the name of a
 * control away, may not be what the second press of a double click, a second Enter or a second click by assistive
 * technology was meant for: such a press does nothing.
 */

/** As long as systems let pass between the two clicks of a double click. */
const doublePressMs = 500;
/** A hand that clicks twice moves this much, in px. */
const trembling = 8;

export interface Press {
  /** What was pressed, and what it was called at that moment. */
  node: object;
  name: string;
  /** Of a press by pointer; keys and assistive technology press without. */
  place?: { x: number; y: number };
  /** It cannot be pressed any more, so the app has put the focus elsewhere. Else a person has, by a step of its own. */
  isGone?: () => boolean;
  /** The system itself calls it the second click of a double click, or a later one. */
  isRepeated?: boolean;
  /** A step, of which people take several in a row: one that has moved or has another name is the same. */
  isStep?: boolean;
}

export interface PressGuard {
  /** True where this press belongs to the one before, and meets another control than that. */
  isStray: (press: Press) => boolean;
  /** Something was done in between: the next press is one of its own. */
  forget: () => void;
}

/** Remembers one press. `now` in ms. */
export function createPressGuard(now: () => number): PressGuard {
  let last: (Press & { atMs: number }) | undefined;
  return {
    isStray: (press) => {
      const atMs = now();
      const before = last;
      const belongs =
        before !== undefined &&
        (press.isRepeated === true || atMs - before.atMs < doublePressMs) &&
        (press.place
          ? isSamePlace(before.place, press.place)
          : !before.place && (press.node === before.node || before.isGone?.() === true));
      if (!belongs) {
        last = { ...press, atMs };
        return false;
      }
      const [isNode, isName] = [press.node === before.node, press.name === before.name];
      const isSame = press.isStep === true ? isNode || isName : isNode && isName;
      // However often one clicks in a row, it is one press.
      last = { ...(isSame ? press : before), atMs };
      return !isSame;
    },
    forget: () => {
      last = undefined;
    },
  };
}

/** Who presses a key has left the pointer, and the other way round. */
function isSamePlace(before: Press['place'], { x, y }: { x: number; y: number }): boolean {
  return before !== undefined && Math.abs(before.x - x) <= trembling && Math.abs(before.y - y) <= trembling;
}

const controls =
  'button, a[href], summary, label, select, input:is([type=checkbox], [type=radio], [type=file], [type=submit]), ' +
  ':is([role=button], [role=link], [role=option], [role=menuitem], [role=tab], [role=switch], [role=checkbox])';
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/** Keeps stray presses from every control of the page. */
export function guardDoublePresses(): void {
  const now = () => performance.now();
  // Of their own: Enter in a field is followed by a click on its form's button, which is not a second press.
  const pointers = createPressGuard(now);
  const clicksByKey = createPressGuard(now);
  const enters = createPressGuard(now);
  /** Since a key pressed something last: the first is the app's own at most, the next is a person's. */
  let focusMoves = 0;
  const forgetKeys = () => {
    clicksByKey.forget();
    enters.forget();
  };
  const forget = () => {
    pointers.forget();
    forgetKeys();
  };
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const options = { capture: true };

  addEventListener(
    'click',
    (event) => {
      // What the app clicks itself follows from a press, and is none.
      if (!event.isTrusted || !(event.target instanceof Element)) return;
      const pressed = event.target.closest(controls);
      // The browser clicks the field of a label itself, at once: that is the same press.
      const control = pressed instanceof HTMLLabelElement ? (pressed.control ?? pressed) : pressed;
      const press = pressOn(control ?? event.target);
      const isByKey = event.detail === 0;
      if (isByKey) focusMoves = 0;
      else forgetKeys();
      const place = { x: event.clientX, y: event.clientY };
      const isStray = isByKey
        ? clicksByKey.isStray(press)
        : pointers.isStray({ ...press, place, isRepeated: event.detail > 1 });
      if (isStray && control && !isHarmless(control)) stop(event);
    },
    options,
  );
  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Enter') {
        focusMoves = 0;
        const { target } = event;
        if (target instanceof Element && enters.isStray(pressOn(target)) && !isHarmless(target)) stop(event);
      } else if (event.key !== ' ' && !modifiers.has(event.key)) forget();
    },
    options,
  );
  addEventListener(
    'focusin',
    () => {
      focusMoves += 1;
      if (focusMoves > 1) forgetKeys();
    },
    options,
  );
  addEventListener('input', (event) => event instanceof InputEvent && forget(), options);
  // A file was chosen, in a dialog of the system.
  const isFileField = (target: unknown) => target instanceof HTMLInputElement && target.type === 'file';
  addEventListener('change', ({ target }) => isFileField(target) && forget(), options);
}

function pressOn(node: Element): Press {
  const name = node.matches(controls) ? (node.getAttribute('aria-label') ?? node.textContent) : '';
  return { node, name, isStep: node.hasAttribute('data-step'), isGone: () => !isInReach(node) };
}

/** What only gives back, or opens what can be closed again, is there for whoever reaches it. */
function isHarmless(control: Element): boolean {
  return control.hasAttribute('data-harmless');
}

function isInReach(node: Element): boolean {
  const modal = document.querySelector('dialog:modal');
  return node.isConnected && node.checkVisibility() && (modal === null || modal.contains(node));
}
