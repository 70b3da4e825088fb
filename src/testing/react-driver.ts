/** Operates the app as rendered in Node: presses buttons and fills fields through the real components and state. */
import { Children, cloneElement, Component, createElement, isValidElement, type ReactNode } from 'react';

import { isRecord, getOwnProperty } from '../lib/json.ts';
import type { Playground } from '../state/create-playground.ts';
import { renderMarkup } from './render-views.tsx';

/** A rendered element with its props. */
interface Drawn {
  tag: string;
  props: Readonly<Record<string, unknown>>;
}

/** Presses the only button or menu item with this name. */
export function pressButton(playground: Playground, part: ReactNode, name: string): void {
  const button = oneOf(drawnBy(playground, part), ['button'], name);
  if (button.props['disabled'] === true || button.props['aria-disabled'] === true)
    throw new Error(`${name} is disabled`);
  send(button, 'onClick');
}

/** Replaces the text of the field with this label. */
export function fillField(playground: Playground, part: ReactNode, label: string, value: string): void {
  const field = oneOf(drawnBy(playground, part), ['input', 'textarea'], label);
  send(field, 'onInput' in field.props ? 'onInput' : 'onChange', { currentTarget: { value } });
}

/** Presses a key in the field with this label. */
export function pressKey(playground: Playground, part: ReactNode, label: string, key: string): void {
  const field = oneOf(drawnBy(playground, part), ['input', 'textarea'], label);
  send(field, 'onKeyDown', { key });
}

function send({ tag, props }: Drawn, handler: string, event: object = {}): void {
  const hear = props[handler];
  if (!isHandler(hear)) throw new Error(`This ${tag} has no ${handler}`);
  hear({ preventDefault: () => undefined, stopPropagation: () => undefined, ...event });
}

function oneOf(drawn: readonly Drawn[], tags: readonly string[], name: string): Drawn {
  const ofThatKind = drawn.filter(({ tag }) => tags.includes(tag));
  const [found, ...more] = ofThatKind.filter((each) => nameOf(each) === name);
  if (found && more.length === 0) return found;
  throw new Error(
    `${more.length > 0 ? 'Several elements match' : 'No element matches'} "${name}": ${ofThatKind.map(nameOf).join('; ')}`,
  );
}

function nameOf({ props }: Drawn): string {
  const label = props['aria-label'];
  return typeof label === 'string' ? label : getNodeText(props['children']).replaceAll(/\s+/g, ' ').trim();
}

function getNodeText(node: unknown): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(getNodeText).join('');
  return wordsOfElement(node);
}

function wordsOfElement(node: unknown): string {
  return isValidElement(node) ? getNodeText(getOwnProperty(node.props, 'children')) : '';
}

/** Returns all elements that the browser would create for this part now. */
function drawnBy(playground: Playground, part: ReactNode): Drawn[] {
  const drawn: Drawn[] = [];
  renderMarkup(playground, noted(part, drawn));
  return drawn;
}

/** Returns the same tree with components expanded, recording every element. */
function noted(node: ReactNode, drawn: Drawn[]): ReactNode {
  if (Array.isArray(node)) return Children.map(node, (each: ReactNode) => noted(each, drawn));
  if (!isValidElement(node) || !isRecord(node.props)) return node;
  const { type, key, props } = node;
  const view: unknown = isView(type) ? type : getOwnProperty(type, 'type');
  if (isView(view)) return createElement(Noted, { key, view, props, drawn });
  if (typeof type === 'string') drawn.push({ tag: type, props });
  const { children } = props;
  const isTree = Array.isArray(children) || isValidElement(children);
  return isTree ? cloneElement(node, {}, noted(children, drawn)) : node;
}

interface NotedProps {
  view: (props: object) => ReactNode;
  props: object;
  drawn: Drawn[];
}

function Noted({ view, props, drawn }: NotedProps): ReactNode {
  return noted(view(props), drawn);
}

function isView(type: unknown): type is (props: object) => ReactNode {
  return typeof type === 'function' && !(type.prototype instanceof Component);
}

function isHandler(value: unknown): value is (event: object) => void {
  return typeof value === 'function';
}
