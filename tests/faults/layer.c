// A Vulkan layer that makes the driver fail on purpose. `tests/faults.rs` compiles and loads it.
//
// Every function of the driver that returns a VkResult and that wgpu may call is counted. Before each call the layer reads an order from
// the file that TANGENCY_FAULTS names: at which call to fail, and how. What it counted is written behind the order. Only the interface
// between the Vulkan loader and its layers is used, so that no header of Vulkan is needed. Arguments of functions that are merely passed
// on are taken as eight words: calling conventions of 64-bit systems pass whole numbers and pointers so.
//
// It also says of every adapter that it is a GPU in hardware: the library does not choose any other one by itself.

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t Word;
typedef void (*Function)(void);
typedef Function (*GetProcAddr)(void *, const char *);
typedef int32_t (*Words)(Word, Word, Word, Word, Word, Word, Word, Word);

enum { DEVICE_LOST = -4, HANG = 1 };
enum { ONCE = 0, UNTIL_NEXT_DEVICE = 1 };

// The order, as the test writes it to the beginning of the file.
struct Order {
    uint64_t number;  // Changes with each order: the count of calls starts anew.
    uint64_t call;    // At which call to fail, from 0.
    int32_t result;   // What to return: a negative VkResult, or HANG.
    uint32_t lasting; // ONCE, or UNTIL_NEXT_DEVICE: whether all later calls fail too until another device is to be opened.
    char only[48];    // If not empty: counts calls of this function only.
};

// What happened, as the layer writes it behind the order.
struct Report {
    uint64_t calls;
    uint64_t faults;
    char function[48]; // Where the first fault was.
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static struct Order order;
static struct Report report;
static int failing;
static const char *last = "";

static void write_report(void) {
    if (pwrite(file, &report, sizeof report, sizeof order) < 0) abort();
}

static void read_order(void) {
    struct Order found;
    if (file < 0) {
        const char *path = getenv("TANGENCY_FAULTS");
        file = path ? open(path, O_RDWR) : -1;
        if (file < 0) abort();
    }
    if (pread(file, &found, sizeof found, 0) != sizeof found) abort();
    if (found.number != order.number) {
        order = found;
        memset(&report, 0, sizeof report);
        failing = 0;
    }
}

// The devices that are open, and what waits until one has nothing left to do.
enum { MOST_DEVICES = 64 };
static void *devices[MOST_DEVICES];
static int32_t (*wait_idle)(void *);

// A device that is lost does no work any more, and what it worked with may be freed: so let it come to its end first.
static void finish_work(void) {
    for (int k = 0; k < MOST_DEVICES; k++) {
        pthread_mutex_lock(&lock);
        void *device = devices[k];
        pthread_mutex_unlock(&lock);
        if (device && wait_idle) wait_idle(device);
    }
}

static void note_device(void *from, void *to) {
    pthread_mutex_lock(&lock);
    for (int k = 0; k < MOST_DEVICES; k++) {
        if (devices[k] == from) {
            devices[k] = to;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

// What a call of this function is to return instead of being made; 0 if it is to be made.
static int32_t fault(const char *function) {
    int32_t result = 0;
    pthread_mutex_lock(&lock);
    read_order();
    // Whoever waits asks again and again, how often depends on the time: all of these are one call.
    int again = function == last && !strncmp(function, "vkGetSemaphoreCounterValue", 26);
    last = function;
    if (!order.only[0] || !strcmp(order.only, function)) {
        if (failing && (!strcmp(function, "vkCreateInstance") || !strcmp(function, "vkCreateDevice"))) failing = 0;
        else if (failing || (report.calls == order.call && !again)) {
            if (!report.faults) strncpy(report.function, function, sizeof report.function - 1);
            failing = order.lasting == UNTIL_NEXT_DEVICE;
            report.faults++;
            result = order.result;
        }
        report.calls += !again;
        write_report();
    }
    pthread_mutex_unlock(&lock);
    // For as long as the process lives: what waits for it may not wait for ever.
    while (result == HANG) pause();
    if (result) finish_work();
    return result;
}

#define WORDS a, b, c, d, e, f, g, h
#define WORD_ARGUMENTS Word a, Word b, Word c, Word d, Word e, Word f, Word g, Word h

// The functions that are counted and passed on. (Those that free descriptor sets return a VkResult too, but cannot fail.)
#define EACH_FUNCTION(X) \
    X(vkEnumeratePhysicalDevices) X(vkEnumerateDeviceExtensionProperties) X(vkEnumerateDeviceLayerProperties) \
    X(vkGetPhysicalDeviceImageFormatProperties) X(vkGetPhysicalDeviceImageFormatProperties2) \
    X(vkGetPhysicalDeviceToolProperties) X(vkQueueSubmit) X(vkQueueSubmit2) X(vkQueueWaitIdle) X(vkDeviceWaitIdle) \
    X(vkAllocateMemory) X(vkMapMemory) X(vkFlushMappedMemoryRanges) X(vkInvalidateMappedMemoryRanges) \
    X(vkBindBufferMemory) X(vkBindBufferMemory2) X(vkBindImageMemory) X(vkCreateFence) X(vkResetFences) \
    X(vkGetFenceStatus) X(vkWaitForFences) X(vkCreateSemaphore) X(vkGetSemaphoreCounterValue) X(vkWaitSemaphores) \
    X(vkSignalSemaphore) X(vkCreateQueryPool) X(vkGetQueryPoolResults) X(vkCreateBuffer) X(vkCreateBufferView) \
    X(vkCreateImage) X(vkCreateImageView) X(vkCreateShaderModule) X(vkCreatePipelineCache) \
    X(vkCreateComputePipelines) X(vkCreateGraphicsPipelines) X(vkCreatePipelineLayout) X(vkCreateSampler) \
    X(vkCreateDescriptorSetLayout) X(vkCreateDescriptorPool) X(vkAllocateDescriptorSets) \
    X(vkCreateCommandPool) X(vkResetCommandPool) X(vkAllocateCommandBuffers) \
    X(vkBeginCommandBuffer) X(vkEndCommandBuffer) X(vkResetCommandBuffer) X(vkCreateRenderPass) \
    X(vkCreateFramebuffer) X(vkCreateDescriptorUpdateTemplate) X(vkGetSemaphoreCounterValueKHR) \
    X(vkWaitSemaphoresKHR) X(vkBindBufferMemory2KHR) X(vkQueueSubmit2KHR)

#define WRAPPER(name) \
    static Words real_##name; \
    static int32_t my_##name(WORD_ARGUMENTS) { \
        int32_t result = fault(#name); \
        return result ? result : real_##name(WORDS); \
    }
EACH_FUNCTION(WRAPPER)

// Both structures in which the loader hands over the next layer, as far as they are used.
struct Link {
    struct Link *next;
    GetProcAddr instance_proc_addr;
    GetProcAddr device_proc_addr; // Of the next layer; in the link of an instance it is something else.
};
struct ChainInfo {
    int32_t type;
    struct ChainInfo *next;
    int32_t function; // 0: the link.
    struct Link *link;
};
struct CreateInfo {
    int32_t type;
    struct ChainInfo *next;
};

static GetProcAddr next_instance_proc_addr, next_device_proc_addr;

static struct ChainInfo *link_of(const struct CreateInfo *info, int32_t type) {
    struct ChainInfo *chain = info->next;
    while (chain && !(chain->type == type && chain->function == 0)) chain = chain->next;
    return chain;
}

static int32_t my_vkCreateInstance(const struct CreateInfo *info, void *allocator, void **instance) {
    struct ChainInfo *chain = link_of(info, 47);
    if (!chain) return -3;
    GetProcAddr next = chain->link->instance_proc_addr;
    chain->link = chain->link->next;
    next_instance_proc_addr = next;
    int32_t result = fault("vkCreateInstance");
    if (result) return result;
    int32_t (*create)(const void *, void *, void **) = (int32_t(*)(const void *, void *, void **))next(0, "vkCreateInstance");
    return create(info, allocator, instance);
}

static int32_t my_vkCreateDevice(void *adapter, const struct CreateInfo *info, void *allocator, void **device) {
    struct ChainInfo *chain = link_of(info, 48);
    if (!chain) return -3;
    GetProcAddr instance_next = chain->link->instance_proc_addr;
    next_device_proc_addr = chain->link->device_proc_addr;
    chain->link = chain->link->next;
    int32_t result = fault("vkCreateDevice");
    if (result) return result;
    int32_t (*create)(void *, const void *, void *, void **) =
        (int32_t(*)(void *, const void *, void *, void **))instance_next(0, "vkCreateDevice");
    result = create(adapter, info, allocator, device);
    if (!result) {
        wait_idle = (int32_t(*)(void *))next_device_proc_addr(*device, "vkDeviceWaitIdle");
        note_device(0, *device);
    }
    return result;
}

static void (*real_destroy_device)(void *, void *);
static void my_destroy_device(void *device, void *allocator) {
    note_device(device, 0);
    real_destroy_device(device, allocator);
}

// With the last instance the driver is unloaded, also if devices were left open.
static void (*real_destroy_instance)(void *, void *);
static void my_destroy_instance(void *instance, void *allocator) {
    pthread_mutex_lock(&lock);
    memset(devices, 0, sizeof devices);
    wait_idle = 0;
    pthread_mutex_unlock(&lock);
    real_destroy_instance(instance, allocator);
}

// Five words, of which the last is the kind of the adapter: 2 is a GPU in hardware.
struct Properties {
    uint32_t words[5];
};
static void (*real_properties)(void *, struct Properties *);
static void (*real_properties2)(void *, void *);
static void my_properties(void *adapter, struct Properties *properties) {
    real_properties(adapter, properties);
    properties->words[4] = 2;
}
static void my_properties2(void *adapter, void *properties) {
    real_properties2(adapter, properties);
    ((struct Properties *)((char *)properties + 16))->words[4] = 2;
}

// The wrapper of a function, which passes calls on to `real`; `real` itself if it is none of ours.
static Function wrapped(const char *name, Function real) {
    if (!real) return 0;
#define FIND(function) \
    if (!strcmp(name, #function)) { \
        real_##function = (Words)real; \
        return (Function)my_##function; \
    }
    EACH_FUNCTION(FIND)
    if (!strcmp(name, "vkDestroyInstance")) {
        real_destroy_instance = (void (*)(void *, void *))real;
        return (Function)my_destroy_instance;
    }
    if (!strcmp(name, "vkDestroyDevice")) {
        real_destroy_device = (void (*)(void *, void *))real;
        return (Function)my_destroy_device;
    }
    if (!strcmp(name, "vkGetPhysicalDeviceProperties")) {
        real_properties = (void (*)(void *, struct Properties *))real;
        return (Function)my_properties;
    }
    if (!strcmp(name, "vkGetPhysicalDeviceProperties2") || !strcmp(name, "vkGetPhysicalDeviceProperties2KHR")) {
        real_properties2 = (void (*)(void *, void *))real;
        return (Function)my_properties2;
    }
    return real;
}

static Function my_device_proc_addr(void *device, const char *name) {
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)my_device_proc_addr;
    return next_device_proc_addr ? wrapped(name, next_device_proc_addr(device, name)) : 0;
}

static Function my_instance_proc_addr(void *instance, const char *name) {
    if (!strcmp(name, "vkGetInstanceProcAddr")) return (Function)my_instance_proc_addr;
    if (!strcmp(name, "vkGetDeviceProcAddr")) return (Function)my_device_proc_addr;
    if (!strcmp(name, "vkCreateInstance")) return (Function)my_vkCreateInstance;
    if (!strcmp(name, "vkCreateDevice")) return (Function)my_vkCreateDevice;
    return instance && next_instance_proc_addr ? wrapped(name, next_instance_proc_addr(instance, name)) : 0;
}

struct Negotiation {
    int32_t type;
    void *next;
    uint32_t version;
    GetProcAddr instance_proc_addr, device_proc_addr, physical_device_proc_addr;
};

EXPORT int32_t vkNegotiateLoaderLayerInterfaceVersion(struct Negotiation *negotiation) {
    if (negotiation->version > 2) negotiation->version = 2;
    negotiation->instance_proc_addr = my_instance_proc_addr;
    negotiation->device_proc_addr = my_device_proc_addr;
    negotiation->physical_device_proc_addr = 0;
    return 0;
}
