// What the vendored module exports: the names of scripts/console_vendor/preact.js, with their packages' types.

import type { VNode } from 'preact';

export { Component, Fragment, createContext, h, render } from 'preact';
export {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';
export function html(strings: TemplateStringsArray, ...values: unknown[]): VNode;
