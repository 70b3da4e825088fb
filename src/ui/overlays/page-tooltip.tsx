import { Tooltip } from '@base-ui/react/tooltip';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import { getPortalProps, positionerProps } from './popup.tsx';

/**
 * The only tooltip of the page. Elements ask for it by attributes, so they need no code before this part has loaded:
 * `data-tooltip` with the text, which must also be in their accessible name or description; `data-tooltip-shortcut`
 * with a key; and `data-tooltip-on-click` if a click shows it instead of hiding it.
 */
export function PageTooltip() {
  const popup = useRef<HTMLDivElement>(null);
  const [trigger, hide] = useTooltipTrigger(popup);
  if (!trigger) return null;
  const { tooltip: text, tooltipShortcut: shortcut } = trigger.dataset;
  return (
    <Tooltip.Root open onOpenChange={hide}>
      <Tooltip.Portal {...getPortalProps(trigger)}>
        <Tooltip.Positioner {...positionerProps} anchor={trigger} side="bottom">
          <Tooltip.Popup
            ref={popup}
            role="tooltip"
            className="inline-flex max-w-70 animate-rise items-center gap-2 rounded-2 bg-ink px-2 py-1 text-left font-sans text-12 tracking-[0.004em] whitespace-normal text-on-ink shadow-e-2"
          >
            {text}
            {shortcut !== undefined && (
              <kbd className="min-w-0 border-0 bg-transparent p-0 text-inherit opacity-75">{shortcut}</kbd>
            )}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

const hoverDelayMs = 400;
/** Delay in ms, long enough to move the pointer onto the tooltip. */
const leaveDelayMs = 120;

/**
 * Returns the element whose tooltip is visible, and a function that hides it. It is shown on keyboard focus or after
 * hovering for 400 ms; hidden on leave, blur, click and Escape; kept while the pointer is on the tooltip. The listeners
 * belong to the page, because a conversation has thousands of buttons.
 */
function useTooltipTrigger(
  popup: RefObject<HTMLElement | null>,
): [trigger: HTMLElement | undefined, hide: () => void] {
  const [trigger, setTrigger] = useState<HTMLElement>();

  useEffect(() => {
    const timers: { show?: ReturnType<typeof setTimeout>; hide?: ReturnType<typeof setTimeout> } = {};
    let hoveredElement: HTMLElement | undefined;
    const update = (nextTrigger: HTMLElement | undefined) => {
      clearTimeout(timers.show);
      clearTimeout(timers.hide);
      setTrigger(nextTrigger);
    };
    const showLater = (nextTrigger: HTMLElement, delayMs: number) => {
      clearTimeout(timers.show);
      timers.show = setTimeout(update, delayMs, nextTrigger);
    };
    const setHoveredElement = (element: HTMLElement | undefined) => {
      if (element === hoveredElement) return;
      hoveredElement = element;
      clearTimeout(timers.show);
      clearTimeout(timers.hide);
      if (element !== undefined && element === popup.current) return;
      timers.hide = setTimeout(() => {
        setTrigger((current) => (current === element ? current : undefined));
      }, leaveDelayMs);
      if (element) showLater(element, hoverDelayMs);
    };
    const showOnFocus = (target: EventTarget | null) => {
      const focusedTrigger = findTrigger(target);
      // Deferred: if focus returns because a popover closes, a tooltip would be shown while another element is being
      // hidden.
      if (focusedTrigger && target instanceof Element && target.matches(':focus-visible'))
        showLater(focusedTrigger, 0);
    };

    const listeners = new AbortController();
    const on = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ) => document.addEventListener(type, listener, { capture: true, signal: listeners.signal });
    on('pointerover', ({ target, pointerType }) => {
      if (pointerType !== 'mouse') return;
      const isOnPopup = target instanceof Node && popup.current?.contains(target) === true;
      setHoveredElement(isOnPopup ? (popup.current ?? undefined) : findTrigger(target));
    });
    on('pointerout', ({ relatedTarget }) => {
      // The pointer left the window.
      if (relatedTarget === null) setHoveredElement(undefined);
    });
    on('focusin', ({ target }) => showOnFocus(target));
    on('focusout', () => update(undefined));
    on('pointerdown', () => update(undefined));
    on('click', ({ target }) => {
      const clickedTrigger = findTrigger(target);
      update(clickedTrigger?.dataset['tooltipOnClick'] === undefined ? undefined : clickedTrigger);
    });
    on('keydown', ({ key }) => {
      // Updated at once: an open tooltip would keep Escape from the dialog around it and from the shortcuts.
      if (key === 'Escape') flushSync(() => update(undefined));
    });
    // The focus may have moved while this code was loading.
    showOnFocus(document.activeElement);
    return () => {
      listeners.abort();
      update(undefined);
    };
  }, [popup]);

  useEffect(() => {
    if (!trigger) return;
    const observer = new MutationObserver(() => {
      if (!trigger.isConnected) setTrigger(undefined);
    });
    observer.observe(document, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [trigger]);

  return [trigger, () => setTrigger(undefined)];
}

/** Returns the element with a tooltip that contains the target, or the label of the target if that has a tooltip. */
function findTrigger(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const label = target instanceof HTMLInputElement ? target.labels?.[0] : undefined;
  return (label ?? target).closest<HTMLElement>('[data-tooltip]') ?? undefined;
}
