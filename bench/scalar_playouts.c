/* The playout of docs/reference/playout.md in plain C, one game at a time on a board that tracks strings: what the
 * lockstep kernels are compared with. It plays the same games to the bit. bench/compare_scalar_c.py builds and runs it.
 *
 * Build: cc -O3 -march=native -DSIZE=9 scalar_playouts.c. Each line "SEED FIRST GAMES SUICIDE EXCLUDE" on stdin is
 * answered by a line with the seconds of processor time, the sum of the scores (Black minus White), the stones placed
 * and the games cut. Without EXCLUDE certain suicides are drawn, and refused, like any other: the games have the same
 * distribution but are other ones, and a board that tracks strings plays them faster.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

enum { STRIDE = SIZE + 2, CELLS = STRIDE * STRIDE, AREA = SIZE * SIZE, WORDS = (AREA + 63) / 64, LIMIT = 3 * AREA };
enum { EMPTY = 0, BLACK = 1, WHITE = 2, EDGE = 3 };
enum { NOBODY = 0, NO_KO = 0, REFUSED = -1 }; /* cell 0 is off the board */

typedef struct {
    uint8_t color[CELLS];
    uint16_t around[CELLS];    /* how many stones of each colour are beside and across: see BESIDE, ACROSS */
    uint16_t string[CELLS];    /* the first stone of its string; NOBODY without a stone */
    uint16_t next[CELLS];      /* the stones of a string, in a ring */
    uint16_t stones[CELLS];    /* per string: its size */
    int16_t liberties[CELLS];  /* per string: pseudo-liberties, one for each empty point beside each of its stones */
    uint64_t candidates[3][WORDS];  /* per colour: empty points that are no eye of it, bit = point */
    uint32_t rows[3][SIZE + 2];     /* the points of each colour, bit = column + 1; a row beyond either edge is empty */
} Board;

/* One of a colour's stones in `around`. The edge counts as stones of both colours beside a point. */
static const uint16_t BESIDE[3] = {0, 1, 1 << 4}, ACROSS[3] = {0, 1 << 8, 1 << 12};

static const int steps[4] = {1, -1, STRIDE, -STRIDE};
static const int diagonals[4] = {STRIDE + 1, STRIDE - 1, -STRIDE - 1, -STRIDE + 1};
static uint16_t point_of[CELLS], cell_of[AREA];
static uint8_t at_border[CELLS];
static Board empty_board;

typedef struct { uint32_t a, b, c, counter; } Stream;

static inline uint32_t next_random(Stream *s) {
    uint32_t number = s->a + s->b + s->counter;
    s->a = s->b ^ (s->b >> 9);
    s->b = s->c + (s->c << 3);
    s->c = ((s->c << 21) | (s->c >> 11)) + number;
    s->counter++;
    return number;
}

static inline int is_surrounded(const Board *b, int cell, int color) {
    return (b->around[cell] >> 4 * (color - 1) & 15) == 4;
}

static inline int is_eye(const Board *b, int cell, int color) {
    return is_surrounded(b, cell, color) && (b->around[cell] >> 4 * (4 - color) & 15) + at_border[cell] < 2;
}

static inline void include(Board *b, int cell, int color) {
    b->candidates[color][point_of[cell] >> 6] |= 1ull << (point_of[cell] & 63);
}

static inline void exclude(Board *b, int cell, int color) {
    b->candidates[color][point_of[cell] >> 6] &= ~(1ull << (point_of[cell] & 63));
}

static inline void include_unless_eye(Board *b, int cell, int color) {
    if (is_eye(b, cell, color)) exclude(b, cell, color);
    else include(b, cell, color);
}

static inline void recolor(Board *b, int cell, int color) {
    uint32_t bit = 1u << cell % STRIDE;
    b->rows[b->color[cell]][cell / STRIDE] ^= bit, b->rows[color][cell / STRIDE] ^= bit;
    b->color[cell] = color;
}

static inline void add_stone(Board *b, int cell, int color) {
    int eyes = 0;
    recolor(b, cell, color);
    exclude(b, cell, BLACK), exclude(b, cell, WHITE);
    for (int i = 0; i < 4; i++) {
        int beside = cell + steps[i], across = cell + diagonals[i];
        b->around[beside] += BESIDE[color];
        b->around[across] += ACROSS[color];
        eyes |= is_surrounded(b, beside, color) | is_surrounded(b, across, 3 - color);
    }
    if (!eyes) return;
    for (int i = 0; i < 4; i++) {
        int beside = cell + steps[i], across = cell + diagonals[i];
        if (b->color[beside] == EMPTY && is_eye(b, beside, color)) exclude(b, beside, color);
        if (b->color[across] == EMPTY && is_surrounded(b, across, 3 - color)) include_unless_eye(b, across, 3 - color);
    }
}

static inline void take_stone(Board *b, int cell) {
    int color = b->color[cell];
    recolor(b, cell, EMPTY);
    b->string[cell] = NOBODY;
    include_unless_eye(b, cell, BLACK), include_unless_eye(b, cell, WHITE);
    for (int i = 0; i < 4; i++) {
        int beside = cell + steps[i], across = cell + diagonals[i], other = b->color[beside];
        b->around[beside] -= BESIDE[color];
        b->around[across] -= ACROSS[color];
        b->liberties[b->string[beside]]++;
        if (other == EMPTY) include(b, beside, color);
        if (b->color[across] == EMPTY && is_surrounded(b, across, 3 - color)) include_unless_eye(b, across, 3 - color);
    }
}

static void remove_string(Board *b, int first) {
    int cell = first;
    do {
        take_stone(b, cell);
        cell = b->next[cell];
    } while (cell != first);
}

static void join(Board *b, int one, int other) {
    if (b->stones[one] < b->stones[other]) { int t = one; one = other; other = t; }
    int cell = other;
    do {
        b->string[cell] = one;
        cell = b->next[cell];
    } while (cell != other);
    uint16_t next = b->next[one];
    b->next[one] = b->next[other];
    b->next[other] = next;
    b->stones[one] += b->stones[other];
    b->liberties[one] += b->liberties[other];
}

static inline void change_liberties(Board *b, int cell, int change) {
    for (int i = 0; i < 4; i++) b->liberties[b->string[cell + steps[i]]] += change;
}

/* Play a stone; returns the ko cell of the next turn, NO_KO or REFUSED. */
static int place(Board *b, int cell, int color, int suicide) {
    int vacant = 0, friends = 0, captures = 0, breathing = 0;
    if (is_surrounded(b, cell, 3 - color)) {  /* most refused moves end here; a string touches a point at most four times */
        int few = 0;
        for (int i = 0; i < 4; i++) few |= b->liberties[b->string[cell + steps[i]]] <= 4;
        if (!few) return REFUSED;
    }
    change_liberties(b, cell, -1);
    for (int i = 0; i < 4; i++) {
        int beside = cell + steps[i], other = b->color[beside], none = b->liberties[b->string[beside]] == 0;
        vacant += other == EMPTY;
        friends += other == color;
        captures |= (other == 3 - color) & none;
        breathing |= (other == color) & !none;
    }
    int dies = !(vacant | captures | breathing);
    if (dies && (!friends || !suicide)) {
        change_liberties(b, cell, 1);
        return REFUSED;
    }
    add_stone(b, cell, color);
    b->string[cell] = b->next[cell] = cell;
    b->stones[cell] = 1;
    b->liberties[cell] = vacant;
    if (friends)
        for (int i = 0; i < 4; i++)
            if (b->color[cell + steps[i]] == color && b->string[cell + steps[i]] != b->string[cell])
                join(b, b->string[cell], b->string[cell + steps[i]]);
    int taken = 0, ko = NO_KO;
    if (captures)
        for (int i = 0; i < 4; i++) {
            int beside = cell + steps[i];
            if (b->color[beside] == 3 - color && b->liberties[b->string[beside]] == 0) {
                taken += b->stones[b->string[beside]];
                ko = beside;
                remove_string(b, b->string[beside]);
            }
        }
    if (dies) remove_string(b, b->string[cell]);
    return taken == 1 && !friends && !vacant ? ko : NO_KO;
}

/* The stones of a set of rows that have a neighbour in `from`, or are in `more`. */
static inline void reach(uint32_t *to, const uint32_t *stones, const uint32_t *from, const uint32_t *more) {
    for (int y = 1; y <= SIZE; y++)
        to[y] = stones[y] & (from[y] << 1 | from[y] >> 1 | from[y - 1] | from[y + 1] | more[y]);
}

/* Exclude the certain suicides: the empty points whose neighbours all have a liberty elsewhere, as three steps show. */
static int exclude_certain_suicides(Board *b, int color, int *held, int count) {
    uint32_t *stones = b->rows[3 - color], *vacant = b->rows[EMPTY], none[SIZE + 2] = {0}, roomy[SIZE + 2] = {0};
    uint32_t one[SIZE + 2] = {0}, two[SIZE + 2] = {0};
    for (int y = 1; y <= SIZE; y++) {
        uint32_t east = vacant[y] << 1, west = vacant[y] >> 1, south = vacant[y - 1], north = vacant[y + 1];
        roomy[y] = stones[y] & ((east & west) | (north & south) | ((east | west) & (north | south)));
    }
    reach(one, stones, vacant, none), reach(two, stones, one, roomy);
    reach(one, stones, two, none), reach(two, stones, one, roomy);
    for (int y = 1; y <= SIZE; y++) two[y] = ~two[y] & ((1u << SIZE) - 1) << 1;
    for (int y = 1; y <= SIZE; y++) {
        uint32_t certain = vacant[y] & ~(two[y] << 1 | two[y] >> 1 | two[y - 1] | two[y + 1]);
        for (; certain; certain &= certain - 1) {
            int cell = y * STRIDE + __builtin_ctz(certain);
            exclude(b, held[count++] = cell, color);
        }
    }
    return count;
}

static inline int lowest_but(uint64_t word, int k) {
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ull << k, word));
#else
    int at = 0;
    for (int half = 32; half; half >>= 1) {
        int below = __builtin_popcountll(word & ((1ull << half) - 1));
        if (k >= below) { k -= below; at += half; word >>= half; }
    }
    return at;
#endif
}

static int play(Board *b, Stream *stream, int suicide, int exclude_suicides, int *moves) {
    int held[AREA + 1], color = BLACK, ko = NO_KO, passes = 0;
    *moves = 0;
    while (passes < 2 && *moves < LIMIT) {
        int count = 0, cell;
        if (ko != NO_KO) exclude(b, held[count++] = ko, color);
        if (exclude_suicides) count = exclude_certain_suicides(b, color, held, count);
        do {
            int n = 0;
            for (int w = 0; w < WORDS; w++) n += __builtin_popcountll(b->candidates[color][w]);
            int k = (uint64_t)next_random(stream) * n >> 32;
            if (n == 0) { ko = NO_KO; passes++; break; }
            int w = 0;
            for (int here; k >= (here = __builtin_popcountll(b->candidates[color][w])); w++) k -= here;
            cell = cell_of[64 * w + lowest_but(b->candidates[color][w], k)];
            ko = place(b, cell, color, suicide);
            if (ko == REFUSED) exclude(b, held[count++] = cell, color);
            else passes = 0, ++*moves;
        } while (ko == REFUSED);
        while (count--)
            if (b->color[held[count]] == EMPTY) include_unless_eye(b, held[count], color);
        color = 3 - color;
    }
    int score = 0;
    for (int p = 0; p < AREA; p++) {
        int cell = cell_of[p], here = b->color[cell];
        if (here != EMPTY) score += here == BLACK ? 1 : -1;
        else score += is_surrounded(b, cell, BLACK) - is_surrounded(b, cell, WHITE);
    }
    return score;
}

int main(void) {
    memset(empty_board.color, EDGE, sizeof empty_board.color);
    for (int p = 0; p < AREA; p++) {
        int row = p / SIZE, column = p % SIZE, cell = (row + 1) * STRIDE + column + 1;
        cell_of[p] = cell, point_of[cell] = p, empty_board.color[cell] = EMPTY;
        empty_board.rows[EMPTY][row + 1] |= 1u << (column + 1);
        at_border[cell] = row == 0 || column == 0 || row == SIZE - 1 || column == SIZE - 1;
        for (int color = BLACK; color <= WHITE; color++) empty_board.candidates[color][p >> 6] |= 1ull << (p & 63);
    }
    for (int p = 0; p < AREA; p++)
        for (int i = 0; i < 4; i++)
            if (empty_board.color[cell_of[p] + steps[i]] == EDGE) empty_board.around[cell_of[p]] += BESIDE[BLACK] + BESIDE[WHITE];
    unsigned long long seed, first, games;
    int suicide, exclude_suicides;
    while (scanf("%llu %llu %llu %d %d", &seed, &first, &games, &suicide, &exclude_suicides) == 5) {
        long long scores = 0, stones = 0, cut = 0;
        clock_t begin = clock();
        for (unsigned long long number = first; number < first + games; number++) {
            Board board = empty_board;
            board.liberties[NOBODY] = INT16_MAX / 2;
            Stream stream = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)seed, (uint32_t)(seed >> 32)};
            for (int i = 0; i < 15; i++) next_random(&stream);
            int moves;
            scores += play(&board, &stream, suicide, exclude_suicides, &moves);
            stones += moves, cut += moves >= LIMIT;
        }
        printf("%.6f %lld %lld %lld\n", (double)(clock() - begin) / CLOCKS_PER_SEC, scores, stones, cut);
        fflush(stdout);
    }
    return 0;
}
