// The connection to foogo: requests, and jobs with updates while they run. docs/reference/web.md has the messages.

const PAUSE = 2000; // milliseconds before it connects again
const LOST = 'the connection is lost';
const LONGEST = 2 ** 22; // characters of a message

/** A request that foogo refused; the message says why. */
class Refusal extends Error {}

/**
 * A job that runs in foogo.
 * @typedef {{done: Promise<any>, stop: () => void, pause: () => void, resume: () => void}} Job
 */

export class Connection {
  /** @param {(isOpen: boolean) => void} changed called when the connection has opened or ended */
  constructor(changed) {
    this.changed = changed;
    this.number = 0;
    /** @type {Map<number, {resolve: Function, reject: Function, update: Function}>} */
    this.waiting = new Map();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Connect, and again whenever the connection ends, as after a laptop's sleep; resolves once it is open. */
  open() {
    return new Promise(resolve => this.connect(resolve));
  }

  connect(opened) {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    this.socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.socket.onmessage = event => this.receive(JSON.parse(event.data));
    this.socket.onopen = () => {
      opened();
      this.changed(true);
    };
    this.socket.onclose = () => {
      for (const one of this.waiting.values()) one.reject(new Refusal(LOST));
      this.waiting.clear();
      this.changed(false);
      setTimeout(() => this.connect(opened), PAUSE);
    };
  }

  /** The result of a request. @returns {Promise<any>} */
  ask(type, fields = {}) {
    return this.job(type, fields).done;
  }

  /**
   * Start a job; `update` is called with each result so far.
   * @param {string} type
   * @param {object} fields
   * @param {(found: any) => void} update
   * @returns {Job}
   */
  job(type, fields, update = () => {}) {
    const id = ++this.number;
    const done = new Promise((resolve, reject) => {
      const message = JSON.stringify({id, type, ...fields});
      if (!this.isOpen) return reject(new Refusal(LOST));
      if (message.length > LONGEST) return reject(new Refusal('this is too large for foogo web'));
      this.waiting.set(id, {resolve, reject, update});
      this.socket.send(message);
    });
    const control = kind => {
      if (this.waiting.has(id)) this.ask(kind, {job: id}).catch(() => {}); // it may just have ended
    };
    return {done, stop: () => control('stop'), pause: () => control('pause'), resume: () => control('resume')};
  }

  receive(reply) {
    const waiting = this.waiting.get(reply.id);
    if (!waiting) return;
    if (reply.type === 'update') return waiting.update(reply);
    this.waiting.delete(reply.id);
    if (reply.type === 'result') waiting.resolve(reply);
    else waiting.reject(new Refusal(reply.message));
  }
}
