/** The part of noVNC's API that we use; it ships no types. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, socket: WebSocket | string, options?: { shared?: boolean })
    scaleViewport: boolean
    background: string
    disconnect(): void
    sendCtrlAltDel(): void
    focus(options?: FocusOptions): void
  }
}
