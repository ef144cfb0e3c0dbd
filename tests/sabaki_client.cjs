// Drives an engine as Sabaki does, through its own library; prints what happened as JSON.
// Usage: node sabaki_client.cjs ENGINE [ARGUMENT...], with @sabaki/gtp on NODE_PATH.
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')

const [path, ...args] = process.argv.slice(2)
const controller = new Controller(path, args)
const tracker = new ControllerStateTracker(controller)
const done = {}

async function ask(name, ...args) {
  const response = await controller.sendCommand({name, args})
  return response.error ? `? ${response.content}` : response.content
}

// Subscribes to an analysis and interrupts it with another command once enough lines came.
async function analyze(color, lines) {
  const seen = []
  let interrupt = null
  const response = await controller.sendCommand({name: 'analyze', args: [color, '5']}, ({line}) => {
    if (line.startsWith('info ')) seen.push(line)
    if (seen.length >= lines && interrupt == null) interrupt = ask('protocol_version')
  })
  return {lines: seen.length, last: seen[seen.length - 1], error: response.error, interrupt: await interrupt}
}

async function main() {
  controller.start()
  done.hello = await Promise.all([ask('name'), ask('version'), ask('protocol_version')])
  done.commands = (await ask('list_commands')).split('\n')

  await tracker.sync({
    komi: 6.5,
    boardsize: [9, 9],
    history: [
      {name: 'set_free_handicap', args: ['C3', 'G7']},
      {name: 'play', args: ['W', 'E5']}
    ]
  })
  done.synced = [await ask('list_stones', 'b'), await ask('list_stones', 'w'), await ask('get_komi')]

  // Another position of the same game: the library undoes and replays.
  await tracker.sync({
    komi: 6.5,
    boardsize: [9, 9],
    history: [
      {name: 'set_free_handicap', args: ['C3', 'G7']},
      {name: 'play', args: ['W', 'D4']},
      {name: 'play', args: ['B', 'pass']}
    ]
  })
  done.resynced = [await ask('list_stones', 'b'), await ask('list_stones', 'w')]

  done.illegal = await ask('play', 'B', 'D4')
  done.surplus = await ask('is_legal', 'B', 'E5', 'now')
  done.genmove = await ask('genmove', 'W')
  done.analysis = await analyze('B', 3)

  const lines = []
  await controller.sendCommand({name: 'genmove_analyze', args: ['B', '5']}, ({line}) => lines.push(line))
  done.genmoveAnalyze = lines
  done.history = tracker.state.history.map(({name, args}) => [name, ...args])
  done.stones = [await ask('list_stones', 'b'), await ask('list_stones', 'w')]

  let stopped = new Promise(resolve => controller.once('stopped', resolve))
  await controller.stop()
  await stopped
  console.log(JSON.stringify(done))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
