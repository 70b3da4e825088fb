/** Focus targets of the playground for other parts of the app. */
import type { ParamName } from '../../conversation/setup/params.ts';
import { createFocusTarget, type FocusTarget } from '../../ui/focus/focus-target.ts';

export const messageField = createFocusTarget('message');
/** Any message or answer. */
export const anyMessage = { selector: 'article' };
/** Field in the composer. */
export const authorName = createFocusTarget('author name');
export const systemPrompt = createFocusTarget('system prompt');
/** Field of Find in session. */
export const sessionFindField = createFocusTarget('find in session');
export const turnsButton = createFocusTarget('turns');
export const sessionMenu = createFocusTarget('session menu');
/** Menu button of any lane. */
export const laneMenu = createFocusTarget('lane menu');
/** Returns the focus target of this lane's header. */
export function getLaneHeaderTarget(letter: string): FocusTarget {
  return createFocusTarget(`header of lane ${letter}`);
}

/** Scrolls this lane into view. */
export function bringLaneIntoView(letter: string): void {
  getLaneHeaderTarget(letter).findElement()?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}

/** Edit button of a message or an answer. */
export const editButton = createFocusTarget('edit');
export const showParametersButton = createFocusTarget('show parameters');
export const hideParametersButton = createFocusTarget('hide parameters');
export const openInspectorButton = createFocusTarget('open inspector');
/** Selected tab of the inspector. */
export const inspectorTab = createFocusTarget('inspector tab');

export function getModelPickerTarget(letter: string): FocusTarget {
  return createFocusTarget(`model of lane ${letter}`);
}

/** Opens the model picker of this lane from elsewhere in the app. */
export function openModelPicker(letter: string): void {
  const picker = getModelPickerTarget(letter);
  if (picker.focus()) picker.findElement()?.click();
}

export function getParameterRowTarget(name: ParamName): FocusTarget {
  return createFocusTarget(`parameter ${name}`);
}
