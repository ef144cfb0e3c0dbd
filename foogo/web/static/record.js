// A game with its variations: a tree of moves, and the node that the board shows.

/**
 * @typedef {{parent: number, children: number[], color: string, vertex: string, comment: string}} Node
 * @typedef {{size: number, komi: number, rules: string, stones: string[][], to_play: string, moves: string[][]}} Game
 */

export class Record {
  /** @param {Game} start a game of a message, without moves */
  constructor(start) {
    this.start = {...start, moves: []};
    /** @type {Node[]} */
    this.nodes = [{parent: -1, children: [], color: '', vertex: '', comment: ''}];
    this.at = 0;
    this.black = this.white = this.result = '';
    this.told = ''; // the result that the file has
    this.end = -1; // the node at which the result holds
  }

  /** The record of a result of `read_sgf`, at its start. */
  static read(found) {
    const record = new Record(found.game);
    for (const {parent, move: [color, vertex], comment} of found.nodes) record.append(parent, color, vertex, comment);
    record.nodes[0].comment = found.comment;
    const told = found.result === '?' ? '' : found.result; // `?` is an unknown result
    const end = record.line().at(-1) ?? 0;
    return Object.assign(record, {black: found.black, white: found.white, result: found.result, told, end});
  }

  /** The fields of a request `write_sgf`: the nodes that were not undone, parents first. */
  written() {
    const nodes = [];
    const waiting = this.nodes[0].children.map(node => [node, 0]).reverse();
    while (waiting.length) {
      const [node, parent] = waiting.pop();
      const {color, vertex, comment, children} = this.nodes[node];
      nodes.push({parent, move: [color, vertex], comment});
      const number = nodes.length;
      waiting.push(...children.map(child => [child, number]).reverse());
    }
    const {start: game, black, white, result} = this;
    return {game, nodes, comment: this.nodes[0].comment, black, white, result};
  }

  /** Go back to before a node, and drop it with all that follows. */
  undo(node) {
    this.at = this.nodes[node].parent;
    const {children} = this.nodes[this.at];
    children.splice(children.indexOf(node), 1);
  }

  append(parent, color, vertex, comment = '') {
    this.nodes.push({parent, children: [], color, vertex, comment});
    this.nodes[parent].children.push(this.nodes.length - 1);
    return this.nodes.length - 1;
  }

  /** Go to the node after a move, which is new unless the move was played here before. */
  play(color, vertex) {
    const known = this.current.children.find(
      node => this.nodes[node].color === color && this.nodes[node].vertex === vertex);
    this.at = known ?? this.append(this.at, color, vertex);
  }

  /** The nodes from the first move to a node. */
  path(node = this.at) {
    const found = [];
    for (; node > 0; node = this.nodes[node].parent) found.unshift(node);
    return found;
  }

  /** The nodes of the line through the node that is shown: to it, and on along the first children. */
  line() {
    const found = this.path();
    for (let next = this.current.children[0]; next !== undefined; [next] = this.nodes[next].children) found.push(next);
    return found;
  }

  /** The game of a message up to a node. @returns {Game} */
  game(node = this.at) {
    return {...this.start, moves: this.path(node).map(n => [this.nodes[n].color, this.nodes[n].vertex])};
  }

  /** Whether there is nothing on the board and no move in the record. */
  get isEmpty() {
    return !this.nodes[0].children.length && !this.start.stones.length;
  }

  /** Set the result of the game, which holds at the node that is shown, in place of the one that its file has. */
  decide(result) {
    this.result = result;
    this.told = '';
    this.end = this.at;
  }

  get current() {
    return this.nodes[this.at];
  }
}
