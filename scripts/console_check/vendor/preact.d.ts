// What the vendored module exports: the names of scripts/console_vendor/preact.js, with their packages' types.

import type { VNode } from 'preact';
import type { Dispatch, StateUpdater as Update } from 'preact/hooks';

export { Component, Fragment, createContext, h, render } from 'preact';
export {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
} from 'preact/hooks';

// What begins as nothing, as an empty list or as an empty object becomes anything: JSDoc cannot name a type there.
type Open = null | undefined | never[] | Record<string, never>;
export function useState(initial?: Open): [any, (next: any) => void];
export function useState<Value>(initial: Value | (() => Value)): [Value, Dispatch<Update<Value>>];
export function useRef(initial?: Open): { current: any };
export function useRef<Value>(initial: Value): { current: Value };
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
